/// Tokens of the default application, signed with the key `accounts` of the default seed for the first 15
/// minutes of a test.
package enum VonageTokens {
  package static let valid = """
    eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcHBsaWNhdGlvbl9pZCI6IjVhMGQwYjBjLTAwMDAtNDAwMC04M\
    DAwLTAwMDAwMDAwMDAwMSIsImlhdCI6MTc2NzYwODQzMCwianRpIjoiMSIsImV4cCI6MTc2NzYwOTMzMH0.TfL1ZAv\
    VazQyJYccrUbIJ-fXQHRrqAkBu-kpnGLyW1uhPYGXi9eTsG8PCA-k1hvsihbaEFF3G5Q15KCovR7kk_58cf1tdmr1X\
    8Gou-sA9yN10U5Rp4o92J3Hqx-8Tboqk7Az3UfsbWa5OoLweluVN2n8aKpyEC4f55pSh8Z7-zwW2xMDXP0mPuqEFEF\
    PIyKF42wnNNblRq-NuUUtN03wqntegrYZSBi_GVx2TynhwhESsOx2eCw2GT2Smu2k5Ohq6vMyIvuLGEAJ_fmXgy171\
    fsFZBkrGpZ167fPk6fZ4zm9GGm2W2vbcik0CiRbm9xGAWYnxnmwsx3Q-j6Qe9e1wA
    """
  /// Expires before it was signed.
  package static let expired = """
    eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcHBsaWNhdGlvbl9pZCI6IjVhMGQwYjBjLTAwMDAtNDAwMC04M\
    DAwLTAwMDAwMDAwMDAwMSIsImlhdCI6MTc2NzYwODQzMCwianRpIjoiMSIsImV4cCI6MTc2NzYwODQyOX0.lRhBuXx\
    PssjLBOtJFKyJTQchfu2qOSobZl7ZZh8XrkxcZZUPUj_jXsltnThoUQ1AjiwA-lU526t0uKqp426GGPJpj9nGKpI2T\
    W9xXrqpbA0NuQ40bGlfXCSlR0dOWul-Dlom7Jzz-B1oKlJAhKNiyQQ2FpubISSOBdyY1-553YtwA1mm8uEsOO1VgR2\
    0efiZW-Bjwdq3vv4zrDsGKSi-65EJZkRphqvwffMEqwzVsZBBEWxMsE9DdgyHxd1lJWDE74rBEKj6z8jPrZi3KcseP\
    O_1wudCnS6yy0JSgzfENEB-iKr008rQ9p9HUlYKeNO9IfFrMxuuSk0B9HVlG-NYgw
    """
  /// Signed with another key.
  package static let foreign = """
    eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcHBsaWNhdGlvbl9pZCI6IjVhMGQwYjBjLTAwMDAtNDAwMC04M\
    DAwLTAwMDAwMDAwMDAwMSIsImlhdCI6MTc2NzYwODQzMCwianRpIjoiMSIsImV4cCI6MTc2NzYwOTMzMH0.F-BydvE\
    qxQRGEv7Uim9z6sdpwpQIdhRGQuz9kTDD0i9LMnH1KyRGYwZiqR4BgqyTZBib7tH18uS9Rs7R2DqsoJcrdwICzwFLY\
    -vr9-zOg0JyXEmDP6lOeOHHExQd_5dZvEm8NJ26Zp0SwuOlV7_PlhkatKgE938c1CLwJEmUVcPbbnlnOsMZ_S_Pq9i\
    AauxufLlO_GZKD6GSevH7Vjoq2Nh5Yg4RgltHN7FIVvKCWh_OxnRpBSSSzCZSn1PTrx9DbE_wR_2nr7iH0GytrW6lx\
    AT0_p6A10ztJdtQarcoEfaSW0iCzcbKnHgNN_XbcY7ErN5VVjdQIyKK0-Kp0TQLmA
    """
  /// Of an application that the sandbox does not know.
  package static let unknown = """
    eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcHBsaWNhdGlvbl9pZCI6IjVhMGQwYjBjLTAwMDAtNDAwMC04M\
    DAwLTAwMDAwMDAwZGVhZCIsImlhdCI6MTc2NzYwODQzMCwianRpIjoiMSIsImV4cCI6MTc2NzYwOTMzMH0.OBul7OD\
    P6j9YL_x4P4WARDg73yM4xDGyO9X0P6PCX1pAivQsc8LNLe-qLlW2VR8gWEnBIHeOcFW17zoitX-hBfLe-xkNZS6ab\
    bC_u58Oa5h9LumIo4o-YYdLt4iGROHUmnV8MCR4M1ZtFweaxzKQvTZcWD9z1TYTOuktkkD5iT5Lo7b-eFAnDJm8C6B\
    xTr3nxuiabh9q6GtYojGeQ2VECN3O51k2t8B3WyaAQ7-YqMPGpBebRzTUOmWTfJydyKtqxhuTqIa8vp9EiGirL9fnN\
    aExt2q9iBcTPpiC-dPg-KoF_AkrHhgC5V4lh7OI51h-47kYNJWSfxMtAhz5ovSsFw
    """
  /// Without `iat`.
  package static let noTime = """
    eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcHBsaWNhdGlvbl9pZCI6IjVhMGQwYjBjLTAwMDAtNDAwMC04M\
    DAwLTAwMDAwMDAwMDAwMSIsImp0aSI6IjEiLCJleHAiOjE3Njc2MDkzMzB9.XrkLgWzvCwlJoTK-m2nXmtjUNUWs59\
    qktNmAGJCWqXgd_fbjht9Nwyy-iHUEeC-gpDHHLYVXfbHwHSUDKzk0aIw08_1WYgf5dYVMWra5nL4XOFH50EA5VwZg\
    A49tBKRzNR-jW8LdzH5aujP02koufY4vRWOEo3hy39RrYBt3nIGZLEaFBtFtI74h084rEdUtLEH6Dhv1AXsE03MX3p\
    zwh7TQWgDXojPkw1mQYBShU4WF9bqhD9GAXiPYVQmNYL5PM_lgpmGMHinMlYOxttyv0vLuVev9uFtNH1cvqIcjHEYv\
    OdYRuup9rozM2WpKaBYFFq2mQnCj93w7ECUu8niqKg
    """
}

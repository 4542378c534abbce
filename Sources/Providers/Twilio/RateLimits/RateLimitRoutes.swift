import ProviderKit

extension TwilioProvider {
  static var rateLimitRoutes: [Route<Sandbox>] {
    let limits: Pattern = "/v2/Services/{service}/RateLimits"
    let limit: Pattern = "/v2/Services/{service}/RateLimits/{limit}"
    let buckets: Pattern = "/v2/Services/{service}/RateLimits/{limit}/Buckets"
    let bucket: Pattern = "/v2/Services/{service}/RateLimits/{limit}/Buckets/{bucket}"
    return [
      .get(limits, as: "listRateLimits", authenticated(RateLimit.list)),
      .post(limits, as: "createRateLimit", authenticated(RateLimit.create)),
      .get(limit, as: "fetchRateLimit", authenticated(RateLimit.fetch)),
      .post(limit, as: "updateRateLimit", authenticated(RateLimit.update)),
      .delete(limit, as: "deleteRateLimit", authenticated(RateLimit.delete)),
      .get(buckets, as: "listBuckets", authenticated(Bucket.list)),
      .post(buckets, as: "createBucket", authenticated(Bucket.create)),
      .get(bucket, as: "fetchBucket", authenticated(Bucket.fetch)),
      .post(bucket, as: "updateBucket", authenticated(Bucket.update)),
      .delete(bucket, as: "deleteBucket", authenticated(Bucket.delete)),
    ]
  }
}

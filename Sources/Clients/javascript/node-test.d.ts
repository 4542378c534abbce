/** `test("…", sandboxed(async (sandbox, t) => { … }))` */
export { sandboxed } from "./index";

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { watchPasswordFields } from "../page/password-memory";

export default defineUnlistedScript(() => watchPasswordFields(document));

import { defineUnlistedScript } from "wxt/utils/define-unlisted-script";
import { installPageScript } from "../page/install";

export default defineUnlistedScript(installPageScript);

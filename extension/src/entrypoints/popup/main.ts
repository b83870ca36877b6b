import { startPopup } from "../../popup/popup";

startPopup();

import { startPanel } from "../../panel/panel";

startPanel();

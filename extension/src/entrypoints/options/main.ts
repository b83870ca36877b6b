import { startOptions } from "../../options/options";

startOptions();

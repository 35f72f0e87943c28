import { remember, report } from "./remember.js";

report(remember());

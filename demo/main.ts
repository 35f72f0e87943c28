/** The demo page's first line: which user it is about stands in the address. */

import { App } from "./page/app.js";

const root = document.querySelector<HTMLElement>("#app");
if (!root) throw new Error("the page has no #app");
const app = new App(root);
await app.open(new URLSearchParams(location.search).get("user") || "me");

import { indexedDbStores } from "../../src/store/indexeddb.js";
import { describeStore } from "./contract.js";

describeStore("IndexedDB", { stores: (options) => indexedDbStores(options) });

/** Takes the channels between tabs from this thread, as some webviews have none. */
Reflect.deleteProperty(globalThis, "BroadcastChannel");

/** The memory worker of a platform without BroadcastChannel. */
import "./no-channel.js";
import "../../workers/memory.worker.js";

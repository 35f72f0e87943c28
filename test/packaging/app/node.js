/** The Node consumer: prints what it recalls from a directory that a first handle has written. */
import { openMemory } from "keepsake/node";

const options = { name: "consumer", userId: "me", directory: process.argv[2] };
const memory = await openMemory(options);
await memory.record({ user: "I turned vegetarian in May.", assistant: "Noted!" });
await memory.record({ user: "My sister Ana lives in Lisbon.", assistant: "Lovely city." });
await memory.close();

const again = await openMemory(options);
const recall = await again.recall("Where does my sister live?");
await again.close();
console.log(JSON.stringify({ text: recall.text, first: recall.items[0]?.text }));

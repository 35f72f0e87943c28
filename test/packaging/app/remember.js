/** What every consumer does: record, close, open again, recall. The outcome is left on the page for the test. */
import { openMemory } from "keepsake";

export async function remember(hosting = {}) {
  const options = { name: "consumer", userId: "me", ...hosting };
  const memory = await openMemory(options);
  await memory.record({ user: "I turned vegetarian in May.", assistant: "Noted!" });
  await memory.record({ user: "My sister Ana lives in Lisbon.", assistant: "Lovely city." });
  await memory.close();

  const again = await openMemory(options);
  const recall = await again.recall("Where does my sister live?");
  const { index, worker, degraded } = await again.stats();
  await again.close();
  return {
    text: recall.text,
    first: recall.items[0]?.text,
    vectorIndex: index.vector,
    worker,
    degraded: degraded.map(({ part }) => part),
  };
}

export function report(outcome) {
  outcome.then(
    (value) => {
      globalThis.outcome = value;
    },
    (error) => {
      globalThis.outcome = { error: `${error?.code ?? error?.name}: ${error?.message}` };
    },
  );
}

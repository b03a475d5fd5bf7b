import { createClient, TarneebError } from "tarneeb";
import { GameForm, Seat } from "tarneeb/v1";

const tarneeb = createClient("localhost:50051");
try {
  const { snapshot, revision } = await tarneeb.createGame({
    id: "g-1",
    ruleSet: { presetId: "saharat_classic" },
    first: { case: "firstDealer", value: Seat.EAST },
    form: GameForm.SNAPSHOT,
  });
  console.log(`${snapshot.length} bytes to store at revision ${revision}`);
} catch (error) {
  if (!(error instanceof TarneebError)) throw error;
  const { codeName, reasonName, violations, retryAfterMs } = error;
  console.error(codeName, reasonName, violations, retryAfterMs);
} finally {
  tarneeb.close();
}

import { reset } from "cloudflare:test";
import { vi } from "vitest";
import { emptyDatabase } from "./empty-database";

/* Runs before each file: nothing of the file before it is left, neither what it stored nor what it replaced. */

vi.restoreAllMocks();
await reset();
// What the file before has started may still write while its storage goes.
await emptyDatabase().catch(async () => {
  await reset();
  await emptyDatabase();
});

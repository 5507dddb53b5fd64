import { applyD1Migrations, type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";

/* Runs before each file: nothing of the file before it is left, neither what it stored nor what it replaced. */

const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] };

vi.restoreAllMocks();
await reset();
await applyD1Migrations(DB, [{ name: "all", queries: TEST_MIGRATIONS.flatMap(({ queries }) => queries) }]);

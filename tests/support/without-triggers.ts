/**
 * Runs something while tables have no triggers, and puts them back: what somebody can do who has the database, and not
 * the product.
 */
export async function withoutTriggers(binding: D1Database, tables: readonly string[], run: () => Promise<void>) {
  const places = tables.map(() => "?").join(", ");
  const { results } = await binding
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (${places})`)
    .bind(...tables)
    .all<{ name: string; sql: string }>();
  await binding.batch(results.map(({ name }) => binding.prepare(`DROP TRIGGER ${name}`)));
  try {
    await run();
  } finally {
    await binding.batch(results.map(({ sql }) => binding.prepare(sql)));
  }
}

import { expect, test } from "vitest";
import { purges, retentionRuns } from "~/db/schema/privacy";
import { loader as file } from "~/routes/_admin.admin.exports.$file";
import { loader as page } from "~/routes/_admin.admin.reports";
import { staffMember } from "../support/admin-area";
import { pdfText } from "../support/pdf-text";
import { args, get } from "../support/requests";

const QUERY = "type=summary&from=2026-11-09&to=2026-11-15";

test("fewer submissions than once counted are explained, on the page and in the file, by what was deleted since", async () => {
  const { ctx, base } = await staffMember();
  const said = async () => (await (await page(args(ctx, get(`/admin/reports?${QUERY}`)))).json()).report?.deleted;
  expect(await said()).toBeNull();
  const at = (day: string) => Date.parse(`${day}T18:00:00Z`);
  const run = (day: string, submissions: number) => ({ day, submissions, started_at: at(day), retention_days: 60 });
  await base.db.insert(retentionRuns).values([run("2026-11-08", 5), run("2026-11-09", 2), run("2026-11-20", 7)]);
  const purge = (id: string, day: string) => ({ id, quiet_since: 0, requested_at: at(day), submissions: 3 });
  await base.db.insert(purges).values([purge("pur_early", "2026-11-08"), purge("pur_late", "2026-11-12")]);
  const words = "Retention and purges have deleted 12 submissions since Nov 9, 2026.";
  expect(await said()).toContain(words);
  const pdf = await file(args(ctx, get(`/admin/exports/report.pdf?${QUERY}`), { file: "report.pdf" }));
  const pages = await pdfText(new Uint8Array(await pdf.arrayBuffer()));
  expect(pages.flat().join(" ")).toContain(words);
});

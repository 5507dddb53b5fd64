import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { listTicketFiles, readMessages } from "~/features/conversation/messages.server";
import { makeTicket, ticketWorld } from "../../support/tickets";

test("each page of a ticket has the files of its messages, however many newer ones there are, and clients none of notes", async () => {
  const { base, here, dana } = await ticketWorld();
  const { id } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  // Every tenth is an internal note; each has five files.
  const numbers = sql`WITH RECURSIVE c(n) AS (SELECT 101 UNION ALL SELECT n + 1 FROM c WHERE n < 200)`;
  await base.db.run(sql`${numbers}
    INSERT INTO ticket_messages(id, organization_id, ticket_id, author_name, side, is_internal, message, number, created_at, updated_at)
    SELECT 'msg_' || n, ${here.id}, ${id}, 'Sam Lee', 'staff', n % 10 = 0, 'See the files', 800000 + n, n, n FROM c`);
  await base.db.run(sql`${numbers}
    INSERT INTO attachments(id, r2_key, name, kind, size, sha256, created_at, subject_type, subject_id, message_id)
    SELECT 'att_' || n || value, 'key-' || n || value, 'log.txt', 'txt', 1, 'x', n, 'ticket', ${id}, 'msg_' || n
    FROM c, json_each('[1, 2, 3, 4, 5]')`);
  const pages = async (withInternal: boolean) => {
    let [pages, before]: [number, string | null] = [0, null];
    for (;;) {
      const range: { withInternal: boolean; before: string | null } = { withInternal, before };
      const [{ messages, hasEarlier }, files] = await Promise.all([
        readMessages(base.db, id, range),
        listTicketFiles(base.db, id, range),
      ]);
      expect(files.map(({ messageId }) => messageId)).toEqual(messages.flatMap((one) => Array(5).fill(one.id)));
      pages += 1;
      if (!hasEarlier) return pages;
      before = messages[0]?.id ?? null;
    }
  };
  expect([await pages(true), await pages(false)]).toEqual([2, 2]);
});

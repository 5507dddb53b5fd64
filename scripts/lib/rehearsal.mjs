import { CLIENT_SIGN_IN_PATH, STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { rulesFor } from "~/lib/areas";
import { referenceNumber, sortableId } from "~/lib/ids";
import { pause } from "./child-process.mjs";
import { makeVisitor, opened, signedIn, visit } from "./drill.mjs";
import { httpSession } from "./measure/http-session.mjs";
import { smokeTest } from "./smoke-test.mjs";
import { insertion } from "./sql.mjs";

/**
 * Makes who signs in: two administrators, because a code is good for one sign-in, and the owner of the organization
 * with the newest ticket.
 */
export function makeVisitors(database, keys, now) {
  const newest = database
    .prepare("select number, organization_id as organization from support_tickets order by number desc limit 1")
    .get();
  const organization = newest?.organization ?? database.prepare("select id from organizations limit 1").get()?.id;
  const membership = { id: sortableId("mem", now, Buffer.alloc(16)), created_at: now, updated_at: now, joined_at: now };
  const ownership = (user_id) =>
    insertion("organization_memberships", {
      ...{ ...membership, organization_id: organization, user_id, role: "owner", status: "active" },
    });
  const [visitor, staff] = [makeVisitor(database, keys, now), makeVisitor(database, keys, now + 1)];
  const client = organization ? makeVisitor(database, keys, now + 2, ownership) : null;
  const ticket = newest ? `/client/tickets/${referenceNumber("ticket", newest.number)}` : null;
  return {
    ...{ visitor, staff, client: client && { ...client, ticket } },
    statements: [visitor, staff, client].flatMap((one) => one?.statements ?? []),
  };
}

/** Opens a page, and every page of the same area that its navigation leads to. Returns how long each took. */
async function openArea(session, home, more = []) {
  const { area } = rulesFor(home);
  const html = await open(session, home, []);
  const seen = [];
  const links = [...html.matchAll(/<nav\b.*?<\/nav>/gs)].flatMap(([nav]) => [...nav.matchAll(/href="(\/[^"#?]*)/g)]);
  const paths = new Set([home, ...more, ...links.map(([, path]) => path)]);
  for (const path of paths)
    if (rulesFor(path).area === area && !rulesFor(path).isDownload) await open(session, path, seen);
  return seen;
}

async function open(session, path, seen) {
  const started = performance.now();
  const html = await (await opened(session, path)).text();
  seen.push({ path, time: performance.now() - started });
  return html;
}

const AREAS = { site: "of the public site", portal: "of the portal", admin: "of the back office" };

/**
 * Asks a product that runs on replaced data what a drill asks, and opens the main pages of each area. Returns what was
 * seen, a line each. Without visitors it sees what is public.
 */
export async function lookAround(origin, visitors) {
  const { visitor, staff, client } = visitors ?? {};
  const lines = visitor ? await visit(origin, visitor) : [];
  const clientPages = client?.ticket ? [client.ticket] : [];
  const pages = {
    site: await openArea(httpSession(origin), "/"),
    portal: client ? await openArea(await signedIn(origin, CLIENT_SIGN_IN_PATH, client), "/client", clientPages) : [],
    admin: staff ? await openArea(await signedIn(origin, STAFF_SIGN_IN_PATH, staff), "/admin") : [],
  };
  const all = Object.values(pages).flat();
  const slowest = all.reduce((one, other) => (one.time > other.time ? one : other));
  const counts = Object.entries(pages).map(([area, { length }]) => `${length} ${AREAS[area]}`);
  lines.push(
    `Opened ${all.length} pages (${counts.join(", ")}); the slowest, ${slowest.path}, took ${Math.round(slowest.time)} ms`,
  );
  return lines;
}

/** Does so here, after what a deployment asks, and lets the jobs run. `said`: what the server has written so far. */
export async function rehearse(origin, visitors, { said, print }) {
  const trouble = await smokeTest(origin, { fetch, print, clock: { now: Date.now, wait: pause } });
  if (trouble) throw new Error(trouble.text);
  const lines = await lookAround(origin, visitors);
  const { status } = await fetch(`${origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`);
  if (status !== 200) throw new Error(`The jobs ended with ${status}.`);
  lines.push("The jobs ran once more");
  const errors = said().match(/\{"level":"error".*\}/g) ?? [];
  if (errors.length > 0) throw new Error(`The server has reported ${errors.length} errors, the first: ${errors[0]}`);
  return lines;
}

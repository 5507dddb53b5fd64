import { expect, test } from "vitest";
import { newToken } from "~/platform/crypto.server";
import { builtWorker } from "../../support/built-worker";
import { signedInOn } from "../../support/raw-session";

const ORIGIN = "http://localhost:8787";

const server = builtWorker();

const signedIn = async (role: "admin" | "moderator" | "user") => (await signedInOn(server.db, role)).cookie;

const open = (cookie: string | null, origin = ORIGIN) =>
  server.fetch(`${ORIGIN}/admin/live`, {
    headers: { Upgrade: "websocket", Origin: origin, ...(cookie ? { Cookie: cookie } : {}) },
  });

test("a staff member's socket opens through the whole worker and receives events", async () => {
  const response = await open(await signedIn("moderator"));
  expect(response.status).toBe(101);
  const socket = response.webSocket;
  if (!socket) throw new Error("The response has no socket");
  const frames: unknown[] = [];
  socket.addEventListener("message", (event) => {
    frames.push(JSON.parse(String(event.data)));
  });
  socket.accept();
  const { meta } = await server.db
    .prepare(
      "INSERT INTO live_events(audience, type, subject_type, subject_id, label, at) VALUES ('staff', 'new_submission', 'submission', 'sub_1', 'Priya Raman', 0)",
    )
    .run();
  const seq = meta.last_row_id;
  socket.send(JSON.stringify({ type: "hello", lastSeq: seq - 1 }));
  await expect
    .poll(() => frames)
    .toEqual([
      { v: 1, seq, type: "new_submission", id: "sub_1", label: "Priya Raman", at: "1970-01-01T00:00:00.000Z" },
    ]);
  socket.close(1000);
});

test("without a valid session no socket opens", async () => {
  expect((await open(null)).status).toBe(401);
  expect((await open(`__Host-sid=${newToken()}`)).status).toBe(401);
});

test("another site cannot use a signed-in person's cookie", async () => {
  expect((await open(await signedIn("admin"), "https://evil.example")).status).toBe(403);
});

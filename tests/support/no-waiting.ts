import { vi } from "vitest";
import { BACKUP_CODE_PARAMETERS, PASSWORD_PARAMETERS } from "~/platform/crypto.server";
import { READ_QUEUE } from "~/platform/d1.server";
import { HASH_QUEUE } from "~/platform/hash-queue.server";

/*
 * Runs before each file. Responses that depend on an account take a least time, which tests of it receive as a
 * function; hashing a password takes a tenth of a second, and leaves time for other requests after it. Tests inside the
 * runtime would spend a third of their time so. What is slow on purpose is tested as it is in `unit/platform/crypto`
 * and in the bundled worker.
 *
 * A timer of no length takes twice as long here as what is asked of the database then. Reading a body, too, ends in a
 * later turn of the event loop, and not just behind some promises. `db/platform/d1` has the timer of the product.
 */

vi.spyOn(scheduler, "wait").mockResolvedValue();
PASSWORD_PARAMETERS.ln = 4;
BACKUP_CODE_PARAMETERS.ln = 4;
HASH_QUEUE.pause = 0;
vi.spyOn(READ_QUEUE, "nextTurn").mockImplementation((flush) => new Response("").text().then(flush));

import { vi } from "vitest";
import { BACKUP_CODE_PARAMETERS, PASSWORD_PARAMETERS } from "~/platform/crypto.server";
import { HASH_QUEUE } from "~/platform/hash-queue.server";

/*
 * Runs before each file. Responses that depend on an account take a least time, which tests of it receive as a
 * function; hashing a password takes a tenth of a second, and leaves time for other requests after it. Tests inside the
 * runtime would spend a third of their time so. What is slow on purpose is tested as it is in `unit/platform/crypto`
 * and in the bundled worker.
 */

vi.spyOn(scheduler, "wait").mockResolvedValue();
PASSWORD_PARAMETERS.ln = 4;
BACKUP_CODE_PARAMETERS.ln = 4;
HASH_QUEUE.pause = 0;

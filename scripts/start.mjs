/*
 * npm start: from a clean clone to the running product. Safe to repeat: each step does nothing when there is nothing to
 * do. Variables: PORT, STATE_DIR, SEED, APP_ORIGIN, MAIL_*, TURNSTILE_*, OPEN_BROWSER (see README.md).
 */

import { stopWithParent } from "./lib/child-process.mjs";
import { announceServer, chooseAddress, startWorker } from "./lib/local-server.mjs";
import { lockState, withLock } from "./lib/locks.mjs";
import { prepare } from "./lib/prepare.mjs";

const shutDown = stopWithParent();
try {
  // A port that was asked for and is taken is better reported before the work than after it.
  await chooseAddress();
  lockState();
  const { port, server } = await withLock(async () => {
    await prepare();
    const address = await chooseAddress();
    return { ...address, server: await startWorker(address) };
  });
  await announceServer({ port, server, shutDown });
} catch (error) {
  console.error(error.message);
  await shutDown(1);
}

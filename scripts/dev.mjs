/* npm run dev: the same as npm start, compiled for development, rebuilt and reloaded on every change. */

import { forgetBuild } from "./lib/build-app.mjs";
import { stopWithParent } from "./lib/child-process.mjs";
import { announceServer, answersOn, chooseAddress, serverEnvironment, workerArguments } from "./lib/local-server.mjs";
import { lockState, withLock } from "./lib/locks.mjs";
import { prepare } from "./lib/prepare.mjs";
import { nodeBinary, packageCommand, startTool } from "./lib/toolchain.mjs";

const shutDown = stopWithParent();
try {
  await chooseAddress();
  lockState();
  const { port, server } = await withLock(async () => {
    // The watching compiler builds by itself, and what it leaves behind must not be taken for a production build.
    await prepare({ build: forgetBuild });
    const address = await chooseAddress();
    const server = await startWatching(address);
    await answersOn(address.port, server);
    return { ...address, server };
  });
  await announceServer({ port, server, shutDown });
} catch (error) {
  console.error(error.message);
  await shutDown(1);
}

/**
 * Names the command by which the compiler starts the server. The compiler reads its output for the line that tells it
 * when a new build is live; therefore the log level stays as it is. The command is split at spaces, which are escaped
 * inside arguments.
 */
async function startWatching(address) {
  const server = [await nodeBinary(), packageCommand("wrangler"), ...(await workerArguments(address))]
    .map((argument) => argument.replaceAll(" ", "\\ "))
    .join(" ");
  return startTool("@remix-run/dev", ["dev", "--manual", "-c", server], {
    command: "remix",
    env: serverEnvironment("development"),
    stdio: ["ignore", "inherit", "inherit"],
  });
}

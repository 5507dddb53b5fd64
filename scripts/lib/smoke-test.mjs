/* Asks a deployed site how it is, and says in words what is in the way. */

/** Limits how long a deployment may take to be seen everywhere, in milliseconds. */
const USUAL_PATIENCE = 90_000;

/** Limits how long a new host may take to have an address and a certificate: some minutes are usual. */
const PATIENCE_WITH_NEW_HOST = 15 * 60_000;

const PAUSE = 5_000;

/**
 * Asks the site until it is well. Returns what is wrong with it in the end, or null. Tells `print` whenever it sees
 * something else than before. `clock` is what passes the time: `{now, wait}`.
 */
export async function smokeTest(origin, { fetch, print, clock }) {
  const startedAt = clock.now();
  for (let before = ""; ; await clock.wait(PAUSE)) {
    const trouble = (await troubleAt(`${origin}/healthz`, fetch)) ?? (await troubleAt(`${origin}/auth`, fetch));
    if (!trouble) return null;
    const patience = trouble.isNewHost ? PATIENCE_WITH_NEW_HOST : USUAL_PATIENCE;
    if (clock.now() - startedAt + PAUSE > patience) return trouble;
    if (trouble.text !== before) print(`  ${trouble.text} Waiting …`);
    before = trouble.text;
  }
}

const NO_ADDRESS = /ENOTFOUND|EAI_AGAIN|ENODATA/;
const NO_CERTIFICATE = /^ERR_(TLS|SSL)|CERT|^EPROTO|SELF_SIGNED|UNABLE_TO|SSL|TLS/;

/** Returns what keeps an address from answering 200, or null. `isNewHost` when only time may be missing. */
async function troubleAt(url, fetch) {
  const { hostname } = new URL(url);
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return response.status === 200 ? null : { status: response.status, text: textOfStatus(url, response.status) };
  } catch (error) {
    const code = error.cause?.code ?? error.code ?? error.message;
    if (NO_ADDRESS.test(code)) {
      return {
        isNewHost: true,
        text: `There is no DNS record for ${hostname} yet (${code}). A resolver that was asked too early may remember that for half an hour.`,
      };
    }
    if (NO_CERTIFICATE.test(code)) {
      return {
        isNewHost: true,
        text: `There is no certificate for ${hostname} yet (${code}). A first one takes some minutes.`,
      };
    }
    return { text: `${url} does not answer: ${code}.` };
  }
}

function textOfStatus(url, status) {
  if (status === 421) {
    return `${url} answers 421: the worker does not take ${new URL(url).hostname} for the host of its APP_ORIGIN.`;
  }
  if (status === 503) return `${url} answers 503: the worker misses something it needs.`;
  if (status === 404) return `${url} answers 404: no worker answers there.`;
  return `${url} answers ${status}.`;
}

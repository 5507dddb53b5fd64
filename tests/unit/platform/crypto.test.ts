import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { decrypt, encrypt, hashPassword, isPassword, PASSWORD_PARAMETERS } from "~/platform/crypto.server";
import { isHashQueueFull, runInHashQueue } from "~/platform/hash-queue.server";
import { platformTime } from "../../support/platform-time";

const key = Buffer.alloc(32, 1).toString("base64");

const otherKey = Buffer.alloc(32, 2).toString("base64");

test("a password hash has the recommended cost, which is within the limit of the runtime", () => {
  const { ln, r, p } = PASSWORD_PARAMETERS;
  expect(2 ** ln * r * p).toBe(655_360);
  // The runtime rejects more than this.
  expect(2 ** ln * r * p).toBeLessThanOrEqual(2 ** 20);
});

test("a password is accepted in every equivalent Unicode form, and in no other form", () => {
  const stored = hashPassword(key, "Zoë!Pass2026");
  expect(isPassword(key, "Zoe\u0308!Pass2026", stored)).toBe(true);
  expect(isPassword(key, "Zoe!Pass2026", stored)).toBe(false);
  expect(isPassword(key, "Zoë!Pass2026 ", stored)).toBe(false);
});

test("a stolen hash cannot be verified without the pepper", () => {
  expect(isPassword(otherKey, "Demo!Pass2026", hashPassword(key, "Demo!Pass2026"))).toBe(false);
});

/** Runs `work` with a scrypt that is watched. */
function watched(work: (scrypt: MockInstance<typeof crypto.scryptSync>) => void) {
  const scrypt = vi.spyOn(crypto, "scryptSync");
  syncBuiltinESMExports();
  try {
    work(scrypt);
  } finally {
    scrypt.mockRestore();
    syncBuiltinESMExports();
  }
}

test("an account that does not exist has no password, not even that of the dummy hash, and takes as much work", () => {
  const { ln, r, p } = PASSWORD_PARAMETERS;
  watched((scrypt) => {
    expect(isPassword(key, "", null)).toBe(false);
    expect(scrypt).toHaveBeenCalledExactlyOnceWith(
      "",
      expect.anything(),
      32,
      expect.objectContaining({ N: 2 ** ln, r, p }),
    );
  });
});

test("a damaged row is rejected without hashing, so it cannot block the isolate", () => {
  const honest = hashPassword(key, "x");
  for (const parameters of ["ln=20,r=8,p=5", "ln=14,r=64,p=5", "ln=14,r=8,p=500"]) {
    const stored = honest.replace("ln=14,r=8,p=5", parameters);
    watched((scrypt) => {
      expect(isPassword(key, "x", stored), parameters).toBe(false);
      expect(scrypt).not.toHaveBeenCalled();
    });
  }
  watched((scrypt) => {
    expect(isPassword(key, "x", honest)).toBe(true);
    expect(scrypt).toHaveBeenCalledTimes(1);
  });
});

test("an encrypted value can be decrypted only with its key and for its own row", () => {
  const encrypted = encrypt(key, "user_mfa_settings:totp_secret:u1", "KRSXG5CT");
  expect(encrypted).not.toContain("KRSXG5CT");
  expect(decrypt(key, "user_mfa_settings:totp_secret:u1", encrypted)).toBe("KRSXG5CT");
  expect(() => decrypt(key, "user_mfa_settings:totp_secret:u2", encrypted)).toThrow();
  expect(() => decrypt(otherKey, "user_mfa_settings:totp_secret:u1", encrypted)).toThrow();
  expect(() => decrypt(key, "user_mfa_settings:totp_secret:u1", `${encrypted.slice(0, -2)}AA`)).toThrow();
});

describe("the queue of hashes", () => {
  let time: ReturnType<typeof platformTime>;

  beforeEach(() => {
    time = platformTime();
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  type Hashed = { name: number; from: number; to: number };

  /** Asks for hashes all at once, each of which takes so long. Returns those that were made, in their order. */
  async function hashAtOnce(count: number, length = 100) {
    const hashes: Hashed[] = [];
    const requests = [];
    for (let name = 0; name < count; name += 1) {
      const hash = () => {
        const from = time.real();
        time.work(length);
        hashes.push({ name, from, to: time.real() });
      };
      requests.push(await time.request(() => runInHashQueue(hash)));
    }
    return { hashes, requests };
  }

  test("between two hashes other requests of the isolate have twenty milliseconds", async () => {
    const { hashes } = await hashAtOnce(5);
    await time.pass();
    expect(hashes).toHaveLength(5);
    for (const [index, { from }] of hashes.entries()) {
      if (index > 0) expect(from - (hashes[index - 1] as Hashed).to).toBeGreaterThanOrEqual(20);
    }
  });

  test.each([100, 400, 3_000])("those who wait keep their order while hashes take %d milliseconds", async (length) => {
    const { hashes } = await hashAtOnce(12, length);
    await time.pass();
    expect(hashes.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, name) => name));
  });

  test.each([
    1, 100, 1_000,
  ])("of sixty at once the same ones are told to come back when a hash takes %d milliseconds", async (length) => {
    const { hashes, requests } = await hashAtOnce(60, length);
    await time.pass();
    const outcomes = await Promise.allSettled(requests.map(({ result }) => result));
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.every(({ reason }) => isHashQueueFull(reason))).toBe(true);
    // Sixteen with a place, after the fifteen whose turn it was before the others gave up.
    expect(hashes).toHaveLength(31);
    expect(refused).toHaveLength(60 - 31);
  });

  test("whoever is gone holds up nobody, and the others keep their order", async () => {
    const { hashes, requests } = await hashAtOnce(9);
    for (const [index, { cancel }] of requests.entries()) if (index % 3 === 0) cancel();
    await time.pass();
    expect(hashes.map(({ name }) => name)).toEqual([1, 2, 4, 5, 7, 8]);
    // Without those who are gone it takes six hashes and their pauses.
    expect(hashes.at(-1)?.to).toBeLessThan(6 * 140 + 400);
  });

  test("when everybody who filled the queue is gone, the next one is served", async () => {
    const { requests } = await hashAtOnce(50);
    for (const { cancel } of requests) cancel();
    await time.pass();
    const before = time.real();
    const next = await time.request(() => runInHashQueue(() => "hashed"));
    await time.pass();
    expect(await next.result).toBe("hashed");
    expect(time.real() - before).toBeLessThan(500);
  });

  test("a hash that fails leaves the queue to the next one", async () => {
    const failing = await time.request(() =>
      runInHashQueue(() => {
        throw new Error("No memory");
      }),
    );
    const { hashes } = await hashAtOnce(1);
    await time.pass();
    await expect(failing.result).rejects.toThrow("No memory");
    expect(hashes).toHaveLength(1);
  });
});

import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { expect, type MockInstance, test, vi } from "vitest";
import { decrypt, encrypt, hashPassword, isPassword, PASSWORD_PARAMETERS } from "~/platform/crypto.server";

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

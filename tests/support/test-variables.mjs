/** Returns a key of the right size that is nobody's secret: 32 times the same byte, in base64. */
const key = (byte) => Buffer.alloc(32, byte).toString("base64");

/**
 * Holds the settings of the worker in every test: variables of `wrangler.toml` overridden, secrets given one by one.
 */
export const testVariables = {
  APP_ENV: "test",
  APP_ORIGIN: "http://localhost:8787",
  MAIL_PROVIDER: "capture",
};

export const testSecrets = {
  PASSWORD_PEPPER_1: key(1),
  DATA_KEK_1: key(2),
  FORM_KEY_1: key(3),
  LOG_HMAC_KEY: key(4),
  MAIL_WEBHOOK_SECRET: key(5),
};

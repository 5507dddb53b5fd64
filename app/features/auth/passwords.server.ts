import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { brand } from "~/content/brand";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { recordFailedSignIn } from "~/features/audit/failed-sign-ins.server";
import { toAuditActor, VISITOR } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/model";
import { describeError } from "~/lib/errors";
import { type Duration, type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { knownDevice } from "~/platform/cookies.server";
import { hashPassword, isPassword, keyedHash } from "~/platform/crypto.server";
import { HashQueueFullError, isHashQueueFull, runInHashQueue } from "~/platform/hash-queue.server";
import { giveBackLimit, type LimitType, takeLimit } from "~/platform/rate-limits.server";
import type { Credentials } from "./forms.server";
import { LEAKED_PASSWORDS } from "./leaked-passwords";
import {
  MAX_PASSWORD_FAILURES,
  type PasswordFlaw,
  type ProvenPerson,
  type SignInStep,
  stepDone,
  stepFailed,
} from "./model";
import { type Account, findAccountByEmail } from "./queries.server";

/**
 * Defaults of devices and the variants people choose to satisfy composition rules; the published list comes from leaks.
 */
const LIST = `
!@#$%^&* !@#$1234 !qaz2wsx !qaz@wsx 00000000 000000000 0000000000 01234567 0123456789 0987654321 10203040 11111111
111111111 1111111111 11223344 1122334455 112233445566 12121212 123123123 123321123 1234!@#$ 12341234 12345678
12345678! 123456780 123456781 123456789 123456789! 1234567890 1234567890! 1234567891 1234567899 123456789a 12345678a
12345679 123456a! 123456aa 123456abc 123456qw 123456qwerty 12345abc 12345qwert 1234abcd 1234abcd! 1234asdf 1234qwer
1234qwer! 123654789 123abc123 123asd123 123qwe123 123qweasd 123qweasdzxc 12qwaszx 13131313 14141414 147258369
147852369 159753456 19871987 19891989 19901990 1a2b3c4d 1q2w3e4r 1q2w3e4r! 1q2w3e4r5t 1q2w3e4r5t6y 1qaz!qaz 1qaz2wsx
1qaz2wsx! 1qaz@wsx 1qazxsw2 20002000 20202020 21212121 22222222 23232323 25252525 31415926 33333333 44444444
55555555 66666666 69696969 741852963 77777777 78945612 789456123 87654321 88888888 96385274 98765432 987654321
99887766 99999999 a1234567 a1234567! a12345678 a123456789 a1a1a1a1 a1b2c3d4 a1b2c3d4! a1s2d3f4 aa123456 aa123456!
aa12345678 aa@123456 aaaa1111 aaaaaaaa aaaaaaaa1 abababab abc123!@# abc12345 abc123456 abc@1234 abcd1234 abcd1234!
abcd12345 abcd@1234 abcdef123 abcdefg1 abcdefgh access123 access123! access14 admin123 admin123! admin1234
admin1234! admin12345 admin2024! admin2025! admin2026! admin@123 admin@1234 adminadmin administrator administrator1
administrator1! alexander alexander1 alexandra america1 america1! andrew12 angel123 angels12 anthony1 apple123
apple123! arsenal1 arsenal1! arsenal123 asasasas asd123!@# asd12345 asdasdasd asdf1234 asdf1234! asdf@1234 asdfasdf
asdfghjkl ashley123 asshole1 australia australia1 autumn2024 autumn2024! autumn2025 autumn2025! autumn2026
autumn2026! azerty1! azerty12 azerty123 azertyuiop babyboy1 babygirl babygirl1 babygirl1! backup123 bailey12
banana12 banana123 barcelona barcelona1 barcelona1! baseball baseball1 baseball1! baseball12 basketball basketball1
batman123 batman123! birthday birthday1 bitch123 black123 blessed1 blessed1! blink182 blue1234 blueberry1 bond007!
brandon1 bullshit1 business1 business1! buster12 butterfly butterfly1 butterfly1! california california1 callofduty
camping1 changem3 changeme changeme1 changeme1! changeme123 changeme123! charlie1 charlie1! charlie12 charlie123
cheese12 cheesecake chelsea1 chelsea1! chelsea12 cherry12 chocolate chocolate1 chocolate1! christian christian1
christmas christmas1 cisco123 coffee12 company1 company1! company123 company123! computer computer1 computer1!
computer123 contrasena contraseña cookie12 cookie123 corolla1 corvette corvette1 cowboys1 crystal1 daddysgirl
daniel12 daniel123 danielle danielle1 database1 december december1 default1 default1! demo1234 demo1234! demodemo
diamond1 diamond12 dolphin1 dolphins dragon1! dragon12 dragon123 dragon123! dragon1234 dumbledore eagles123
elizabeth elizabeth1 england1 example1 example1! facebook facebook1 facebook1! family123 february february1
february1! ferrari1 ferrari123 fishing1 fishing123 flower12 flower123 football football1 football1! football12
football12! football123 forever1 forever21 fortnite1 fortnite1! freedom1 freedom1! friends1 friends1! frodo123
fuckyou1 fuckyou1! fuckyou123 fuckyou2 gamer123 gandalf1 gandalf123 gangster1 ginger12 godbless1 godisgood golden12
golfer123 goodluck goodluck1 google12 google123 google123! green123 guest123 guest1234 hallo123 hallo1234 hannah123
harley123 harrypotter harrypotter1 heaven123 hello123 hello123! hello1234 hello12345 hellohello helloworld
helloworld1 helpdesk helpdesk1 helpdesk1! hobbit123 hockey123 hogwarts1 honda123 honey123 hotdog123 hottie12
hunter12 hunter123 hunter2! hunting1 iloveme1 iloveu12 ilovey0u iloveyou iloveyou! iloveyou1 iloveyou1! iloveyou12
iloveyou123 iloveyou2 iloveyou3 internet internet1 internet1! internet123 iphone12 iphone123 jamesbond jamesbond007
jamesbond1 january1! jennifer jennifer1 jessica1 jessica1! jesus123 jesus777 jesuschrist jonathan jonathan1
jordan123 jordan23 juventus juventus1 kawasaki killer12 killer123 lakers24 legolas1 letmein! letmein1 letmein1!
letmein12 letmein123 letmein123! letmeinnow letmepass linkedin linkedin1 liverpool liverpool1 liverpool1! lkjhgfdsa
london123 london2012 lovelove loveme12 loveyou1 maggie12 manager1 manager1! manchester manchester1 manutd123
master12 master123 master123! master1234 matrix123 matthew1 mercedes mercedes1 messi123 metallica metallica1
michael1 michael1! michael12 michelle michelle1 microsoft microsoft1 midnight midnight1 minecraft minecraft1
minecraft1! mnbvcxz1 mommy123 monkey1! monkey12 monkey123 monkey123! monkey1234 motdepasse mothers1 mustang1
mypassword mypassword1 mypassword1! naruto123 ncc1701d network1 network123 newpass1! newpass123 newpassword
newpassword1 newpassword1! newyork1 newyork1! nicholas1 nintendo nintendo1 nirvana1 nissan350z nopass123 nopassword
nothing1 november november1 office123 office123! opensesame opensesame1 openssame oracle123 orange12 p455w0rd
p@$$w0rd p@$$w0rd! p@$$w0rd1 p@ssw0rd p@ssw0rd! p@ssw0rd1 p@ssw0rd1! p@ssw0rd123 p@ssword p@ssword1 p@ssword1!
p@ssword123 pa$$w0rd pa$$word pa55w0rd pa55w0rd! pa55word packers1 panther1 panthers1 paris123 parola123 pass1234
pass1234! pass12345 pass123456 pass1word pass@123 pass@1234 pass@word1 passpass passpass1 passw0rd passw0rd!
passw0rd1 passw0rd1! passw0rd123! password password! password$1 password*1 password01 password1 password1!
password11 password12 password123 password123! password1234 password12345 password2 password2020 password2020!
password2021 password2021! password2022 password2022! password2023 password2023! password2024 password2024!
password2025 password2025! password2026 password2026! password22 password3 password99 password@1 password@123
passwords passwords1 passwort passwort1 patrick1 patriots patriots1 peanut12 pepper12 phoenix1 phoenix1! pikachu1
pineapple1 playboy1 playstation playstation1 poiuytrewq pokemon1 pokemon1! pokemon123 porsche911 princess princess1
princess1! princess12 princess123 purple12 pussy123 q1w2e3r4 q1w2e3r4! q1w2e3r4t5 qazwsxedc qqqqqqqq qwe123!@#
qweasd123 qweasdzxc qweqweqwe qwer1234 qwer1234! qwer@1234 qwert123 qwerty1! qwerty12 qwerty12! qwerty123 qwerty123!
qwerty1234 qwerty1234! qwerty12345 qwerty123456 qwerty@1 qwerty@123 qwertyuiop qwertz123 qwertzuiop qwqwqwqw
rainbow1 rainbow1! rainbow123 realmadrid realmadrid1 red12345 redsox123 roblox123 ronaldo123 ronaldo7 root1234
rootroot router123 rush2112 samantha samantha1 sample123 samsung1 samsung1! samsung123 schatz123 scooby12 scorpion
scorpion1 secret1! secret12 secret123 secret123! security security1 security1! security123 senha123 senha1234
september september1 server123 server123! service1 service1! sexy1234 sexygirl shadow1! shadow12 shadow123 sherlock1
silver12 slipknot slipknot1 snoopy12 soccer12 soccer123 sophie12 spiderman spiderman1 spiderman1! spring2024
spring2024! spring2025 spring2025! spring2026 spring2026! startrek startrek1 starwars starwars1 starwars1! steelers
steelers1 stephanie stephanie1 strawberry strawberry1 summer12 summer123 summer123! summer2020 summer2021 summer2022
summer2023 summer2024 summer2024! summer2025 summer2025! summer2026 summer2026! sunshine sunshine1 sunshine1!
sunshine12 sunshine123 superman superman1 superman1! superman123 support1 support1! support123 support123! suzuki123
sweetheart sweetheart1 temp1234 temp1234! temporary1 temppass1! tennis123 test1234 test1234! test12345 test@123
test@1234 testing1 testing1! testing123 testing123! testtest testtest1 thepassword thomas123 tigger12 tigger123
toor1234 toyota123 trustno1 trustno1! unicorn1 unicorn1! user1234 user1234! victoria victoria1 w3lcome1 w3lcome1!
welcome! welcome1 welcome1! welcome12 welcome123 welcome123! welcome2020 welcome2021 welcome2022 welcome2023
welcome2024 welcome2024! welcome2025 welcome2025! welcome2026 welcome2026! welcome@1 welcome@123 whatever whatever1
whatever1! william1 windows1 windows10 windows10! windows11! winter12 winter123 winter123! winter2020 winter2021
winter2022 winter2023 winter2024 winter2024! winter2025 winter2025! winter2026 winter2026! xbox3600 xxxxxxxx
yamaha123 yankees1 yankees1! yellow12 yourpassword zaq!2wsx zaq12wsx zaq12wsx! zaq1zaq1 zxcv1234 zxcv1234! zxcvbnm,
zxcvbnm1 zxcvbnm123 zzzzzzzz
`;

let passwords: ReadonlySet<string> | undefined;

/** Expanded when the first password is checked: an isolate that only serves pages never does this work. */
export function commonPasswords(): ReadonlySet<string> {
  passwords ??= new Set([...decodeFrontCoded(LEAKED_PASSWORDS), ...LIST.trim().split(/\s+/)]);
  return passwords;
}

/** Decodes a front-coded list: a capital letter is the length of the prefix shared with the previous entry (A = 0). */
function decodeFrontCoded(encoded: string): string[] {
  let word = "";
  return Array.from(encoded.matchAll(/([A-Z])([^A-Z]*)/g), ([, shared = "A", rest = ""]) => {
    word = word.slice(0, shared.charCodeAt(0) - 65) + rest;
    return word;
  });
}

const TIMEOUT: Duration = 800;

/**
 * Sends five characters of the SHA-1 (Have I Been Pwned), if `PWNED_CHECK=1`; the padded answer reveals nothing.
 * Accepts the password if the service fails.
 */
async function isBreached(ctx: Pick<Ctx, "config" | "request" | "log">, password: string): Promise<boolean> {
  const { PWNED_CHECK, PWNED_API_URL } = ctx.config;
  if (PWNED_CHECK !== "1") return false;
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const response = await fetch(PWNED_API_URL + hash.slice(0, 5), {
      headers: { "Add-Padding": "true", "User-Agent": "wrenfield" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!response.ok) throw new Error(`The service responded with ${response.status}`);
    const lines = (await response.text()).split(/\r?\n/);
    // Padding entries have a count of 0.
    return lines.some((line) => line.startsWith(`${hash.slice(5)}:`) && !line.endsWith(":0"));
  } catch (error) {
    ctx.log("warn", { event: "breach_check_failed", request_id: ctx.request.id, error: describeError(error) });
    return false;
  }
}

const SHORTEST = 8;
const LONGEST = 256;

/** Lists the kinds of characters a password needs; the last one is the accepted special characters. */
const KINDS = [/\p{Lu}/u, /\p{Ll}/u, /[0-9]/, /[@$!%*?&]/];

/** Lengths are counted in code points after NFKC, which is the form that is hashed; nothing is trimmed or shortened. */
export async function passwordFlaw(
  ctx: Pick<Ctx, "config" | "request" | "log">,
  password: string,
  email: string,
): Promise<PasswordFlaw | null> {
  const normal = password.normalize("NFKC");
  const length = [...normal].length;
  if (length < SHORTEST) return "password_too_short";
  if (length > LONGEST) return "password_too_long";
  if (ctx.config.PASSWORD_COMPOSITION === "1" && !KINDS.every((kind) => kind.test(normal)))
    return "password_too_simple";
  if (isCommon(normal.toLowerCase(), email)) return "password_too_common";
  return (await isBreached(ctx, normal)) ? "password_too_common" : null;
}

function isCommon(password: string, email: string): boolean {
  const [localPart = ""] = email.toLowerCase().split("@");
  const ownWords = [brand.name, brand.domain, localPart, email, "password", "welcome"];
  return commonPasswords().has(password) || ownWords.some((word) => word.toLowerCase() === password);
}

type HashedPassword = { ok: true; hash: string } | { ok: false; error: { code: "unavailable"; retryAt: Instant } };

/** Hashes a password that is to be stored. Fails when too many hashes wait; the form can be sent again soon. */
export async function hashNewPassword(ctx: Pick<Ctx, "config" | "now">, password: string): Promise<HashedPassword> {
  try {
    const hash = await runInHashQueue(() => hashPassword(ctx.config.PASSWORD_PEPPER_1, password));
    return { ok: true, hash };
  } catch (error) {
    if (!isHashQueueFull(error)) throw error;
    return { ok: false, error: { code: "unavailable", retryAt: ctx.now() + seconds(2) } };
  }
}

/** Sets the minimum time of responses that depend on an account, so that their timing says nothing about it. */
const MINIMUM_TIME: Duration = 400;
const JITTER: Duration = 86;

export type Wait = (length: Duration) => Promise<void>;

const runtimeWait: Wait = (length) => scheduler.wait(length);

/**
 * Up to 85 random ms on top hide small differences. The platform's clock stands still during a hash, and timers with
 * it.
 */
export const minimumResponseTime = (
  ctx: Pick<Ctx, "now" | "newToken">,
  startedAt: Instant,
  wait: Wait = runtimeWait,
): Promise<void> => wait(Math.max(0, startedAt + MINIMUM_TIME - ctx.now()) + jitter(ctx));

const jitter = (ctx: Pick<Ctx, "newToken">): Duration => (Buffer.from(ctx.newToken(), "base64url")[0] ?? 0) % JITTER;

const SATURATED_RETRY: Duration = seconds(2);

type Bucket = { type: LimitType; identifier: string };

export type PasswordHolder = ProvenPerson & Pick<Account, "setupNeedsLink" | "mustChangePassword">;

/**
 * The order matters: counted before hashed, an unknown account takes the same time, and only who knows the password
 * learns of an unconfirmed address. Throws when D1 is down: nobody signs in without a rate limit.
 */
export async function verifyPassword(
  ctx: Ctx,
  { email, password }: Credentials,
  wait?: Wait,
): Promise<SignInStep<PasswordHolder>> {
  const startedAt = ctx.now();
  const network: Bucket = { type: "login_ip", identifier: ctx.request.network };
  const [networkLimit, stored] = await Promise.all([take(ctx, network), findAccountByEmail(ctx.db, email)]);
  const own = bucketFor(ctx, email, stored);
  const isKnownDevice = own.type === "login_device";
  // A stranger in the same network must not lock out the owner's browser, which has a limit of its own.
  if (!networkLimit.allowed && !isKnownDevice) {
    return stepFailed({ code: "too_many_attempts", retryAt: networkLimit.retryAt });
  }
  const counted = networkLimit.allowed ? [network] : [];
  const ownLimit = await take(ctx, own);
  if (!ownLimit.allowed) {
    await giveBack(ctx, ...counted);
    return stepFailed({ code: "too_many_attempts", retryAt: ownLimit.retryAt });
  }

  let isRight: boolean;
  try {
    const passwordHash = stored?.passwordHash ?? null;
    isRight = await runInHashQueue(() => isPassword(ctx.config.PASSWORD_PEPPER_1, password, passwordHash));
  } catch (error) {
    await giveBack(ctx, own, ...counted);
    if (!(error instanceof HashQueueFullError)) throw error;
    return stepFailed({ code: "unavailable", retryAt: ctx.now() + SATURATED_RETRY });
  }
  await minimumResponseTime(ctx, startedAt, wait);

  if (!stored || !isRight || !allowsPasswordSignIn(stored, { now: startedAt, isKnownDevice })) {
    // After the response: recording it first would take longer for accounts that exist.
    ctx.after(recordFailure(ctx, stored, isRight));
    return stepFailed({ code: "credentials_wrong" });
  }
  // A right password is not a guess. Without this, many people behind one IP address would lock each other out.
  await giveBack(ctx, own, ...counted);
  if (stored.status === "unverified") return stepFailed({ code: "email_unconfirmed" });
  return stepDone(stored);
}

/** Wrong passwords lock it for strangers only: otherwise anybody could lock out the owner. */
function allowsPasswordSignIn(
  { status, passwordFailures, passwordExpiresAt }: Account,
  { now, isKnownDevice }: { now: Instant; isKnownDevice: boolean },
): boolean {
  const isOpen = status === "active" || status === "unverified";
  const isExpired = passwordExpiresAt !== null && passwordExpiresAt <= now;
  return isOpen && !isExpired && (isKnownDevice || passwordFailures < MAX_PASSWORD_FAILURES);
}

/**
 * A known browser has its own limit, so that an attacker cannot lock out the owner. Unknown addresses are hashed with a
 * key: people type passwords there by mistake.
 */
function bucketFor(ctx: Pick<Ctx, "config" | "now" | "request">, email: string, stored: Account | null): Bucket {
  if (!stored) {
    return {
      type: "login_account",
      identifier: `anon:${keyedHash(ctx.config.LOG_HMAC_KEY, "email/v1", email).slice(0, 8)}`,
    };
  }
  const device = knownDevice(ctx, stored);
  if (device) return { type: "login_device", identifier: `${stored.userId}:${device}` };
  return { type: "login_account", identifier: `user:${stored.userId}` };
}

const take = (ctx: Pick<Ctx, "db" | "now">, { type, identifier }: Bucket) =>
  takeLimit(ctx.db, type, identifier, ctx.now());

const giveBack = (ctx: Pick<Ctx, "db">, ...buckets: Bucket[]) =>
  commit(
    ctx.db,
    buckets.map(({ type, identifier }) => giveBackLimit(ctx.db, type, identifier)),
  );

const failureEvents = (ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">, stored: Account | null) =>
  recordFailedSignIn(ctx, {
    account: stored ? toAuditActor(stored) : null,
    reason: stored && stored.status !== "active" ? stored.status : "credentials",
  });

/** Records a failed sign-in. The hundredth wrong password in a row locks the password and sends a mail to its owner. */
async function recordFailure(ctx: Ctx, stored: Account | null, isRight: boolean): Promise<void> {
  await commit(ctx.db, failureEvents(ctx, stored));
  if (!stored || isRight) return;
  const [row] = await ctx.db
    .update(users)
    .set({ password_failures: sql`${users.password_failures} + 1` })
    .where(eq(users.id, stored.userId))
    .returning({ failures: users.password_failures });
  if (row?.failures !== MAX_PASSWORD_FAILURES) return;
  await commit(ctx.db, [
    recordAudit(ctx, "user.password_locked", {
      subject: userSubject(stored),
      actor: VISITOR,
    }),
    enqueueMail(ctx, "password-locked", { to: stored.email, about: userSubject(stored), data: {} }),
  ]);
  await deliverOutbox(ctx);
}

/** Counted before anything is hashed, so that a stolen session cannot be used to guess the password. */
export async function checkPassword(
  ctx: Pick<Ctx, "config" | "db" | "now" | "request">,
  account: Account,
  password: string,
): Promise<{ kind: "right" | "wrong" } | { kind: "blocked"; retryAt: Instant } | { kind: "busy"; retryAt: Instant }> {
  const { type, identifier } = bucketFor(ctx, account.email, account);
  const limit = await takeLimit(ctx.db, type, identifier, ctx.now());
  if (!limit.allowed) return { kind: "blocked", retryAt: limit.retryAt };
  const giveBack = () => commit(ctx.db, [giveBackLimit(ctx.db, type, identifier)]);
  try {
    const isRight = await runInHashQueue(() =>
      isPassword(ctx.config.PASSWORD_PEPPER_1, password, account.passwordHash),
    );
    if (!isRight) return { kind: "wrong" };
  } catch (error) {
    await giveBack();
    if (!(error instanceof HashQueueFullError)) throw error;
    return { kind: "busy", retryAt: ctx.now() + seconds(2) };
  }
  await giveBack();
  return { kind: "right" };
}

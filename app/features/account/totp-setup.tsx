import type { FieldErrors } from "~/lib/form";
import { CodeInput } from "~/ui/code-input";
import { Field, Form, SubmitButton } from "~/ui/form";
import { LinkTabs } from "~/ui/tabs";
import { Mono } from "~/ui/text";

export type TotpSetupProps = {
  action: string;
  token: string;
  email: string;
  enrollment: { secret: string; qr: { size: number; path: string } };
  showsKey: boolean;
  qrTo: string;
  keyTo: string;
  errors: FieldErrors;
};

export function TotpSetup({ action, token, email, enrollment, showsKey, qrTo, keyTo, errors }: TotpSetupProps) {
  return (
    <>
      <LinkTabs
        label="How to add the account"
        items={[
          { to: qrTo, label: "QR code", current: !showsKey },
          { to: keyTo, label: "Enter key by hand", current: showsKey },
        ]}
      />
      {showsKey ? (
        <dl className="grid gap-3 [&_dt]:font-semibold">
          <div>
            <dt>Manual entry key</dt>
            <dd>
              <Mono className="wrap-anywhere" data-secret="">
                {enrollment.secret.replace(/(.{4})(?=.)/g, "$1 ")}
              </Mono>
            </dd>
          </div>
          <div>
            <dt>Account</dt>
            <dd>{email}</dd>
          </div>
          <div>
            <dt>Kind</dt>
            <dd>Time-based, 6 digits, 30 seconds</dd>
          </div>
        </dl>
      ) : (
        <QrCode {...enrollment.qr} />
      )}
      <Form action={action} token={token} reloadDocument data-needs="code" data-length="6" intent="verify-setup">
        <Field name="code" label="Verification code" hint="The 6 digits your app shows now." error={errors.code}>
          <CodeInput mode="totp" />
        </Field>
        <SubmitButton wide pendingLabel="Setting up...">
          Verify
        </SubmitButton>
      </Form>
    </>
  );
}

/** Sets the quiet zone on each side, in modules (ISO/IEC 18004). */
const QUIET = 4;

/** Draws the code dark on white in both themes: many scanners cannot read inverted codes. */
function QrCode({ size, path }: { size: number; path: string }) {
  const side = size + 2 * QUIET;
  return (
    <svg
      className="h-auto w-[min(100%,15rem)] justify-self-center rounded-2 border border-line-strong bg-[#fff]"
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      role="img"
      aria-label="QR code for your authenticator app"
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

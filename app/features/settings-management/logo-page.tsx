import type { LogoImage } from "~/content/brand";
import { LOGO_PATH } from "~/features/settings/paths";
import type { ValidationError } from "~/lib/form";
import { ErrorSummary } from "~/ui/error-summary";
import { Field, FileInput } from "~/ui/field";
import { Form, formKey, SubmitButton, useFormResult } from "~/ui/form";
import { Panel } from "~/ui/panel";

type LogoFormsProps = {
  logo: LogoImage | null;
  version: number;
  tokens: Record<"upload" | "remove", string | null>;
};

export function LogoForms({ logo, version, tokens }: LogoFormsProps) {
  const failed = useFormResult<ValidationError>(formKey(LOGO_PATH, "upload"));
  const errors = failed?.errors ?? {};
  return (
    <>
      <Panel id="current" title="Now">
        {logo ? (
          <div className="flex flex-wrap gap-4">
            <LogoOn {...logo} className="bg-[#fff]" theme="light" />
            <LogoOn {...logo} className="bg-[#111f23]" theme="dark" />
          </div>
        ) : (
          <p className="text-ink-2">No logo. Pages show the default logo, two check marks, beside the name.</p>
        )}
      </Panel>
      <Panel id="upload" title="Another logo">
        <ul className="mb-5 max-w-160 list-disc pl-5 text-ink-2">
          <li>A logo more than twice as wide as it is high stands alone, any other beside the name.</li>
          <li>Mails and PDF files show PNG only.</li>
          <li>SVG is not accepted: such a file can hold scripts.</li>
        </ul>
        <Form
          className="grid max-w-160 gap-5"
          action={LOGO_PATH}
          name="upload"
          token={tokens.upload ?? undefined}
          encType="multipart/form-data"
        >
          {failed ? <ErrorSummary title={failed.title} errors={errors} /> : null}
          <input type="hidden" name="intent" value="upload" />
          <input type="hidden" name="version" value={version} />
          <Field
            name="logo"
            label="Logo"
            hint="PNG or WebP, at most 512 KB, each side 32 to 2,000 pixels."
            error={errors.logo}
          >
            <FileInput accept=".png,.webp" />
          </Field>
          <div>
            <SubmitButton pendingLabel="Saving…">Save logo</SubmitButton>
          </div>
        </Form>
      </Panel>
      {logo ? (
        <Panel id="remove" title="No logo">
          <Form action={LOGO_PATH} name="remove" token={tokens.remove ?? undefined}>
            <input type="hidden" name="intent" value="remove" />
            <input type="hidden" name="version" value={version} />
            <SubmitButton variant="quiet">Remove logo</SubmitButton>
          </Form>
        </Panel>
      ) : null}
    </>
  );
}

function LogoOn({ src, width, height, className, theme }: LogoImage & { className: string; theme: "light" | "dark" }) {
  return (
    <span className={`inline-block border border-line p-4 ${className}`}>
      <img
        className="h-8 w-auto max-w-full rounded-1 bg-[#fff] object-contain outline-3 outline-[#fff]"
        alt={`The logo in the ${theme} theme`}
        src={src}
        width={width}
        height={height}
      />
    </span>
  );
}

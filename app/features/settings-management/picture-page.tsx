import type { LogoImage } from "~/content/brand";
import type { PictureName } from "~/features/settings/model";
import { LOGO_PATH, PORTRAIT_PATH } from "~/features/settings/paths";
import type { ValidationError } from "~/lib/form";
import { ErrorSummary, Field, FileInput, Form, formKey, SubmitButton, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { Page, Panel } from "~/ui/page";
import { PICTURE_WORDS } from "./labels";

const PATHS: Record<PictureName, string> = { logo: LOGO_PATH, portrait: PORTRAIT_PATH };

type PicturePageProps = {
  name: PictureName;
  backTo: string;
  picture: LogoImage | null;
  version: number;
  tokens: Record<"upload" | "remove", string | null>;
};

export function PicturePage({ name, backTo, picture, version, tokens }: PicturePageProps) {
  const { label, none, hint, notes } = PICTURE_WORDS[name];
  const path = PATHS[name];
  const lower = label.toLowerCase();
  const failed = useFormResult<ValidationError>(formKey(path, "upload"));
  const errors = failed?.errors ?? {};
  return (
    <Page title={label}>
      <p>
        <Link to={backTo}>Back to the settings</Link>
      </p>
      <Panel id="current" title="Now">
        {picture ? <Shown name={name} picture={picture} /> : <p className="text-ink-2">{none}</p>}
      </Panel>
      <Panel id="upload" title={`Another ${lower}`}>
        <ul className="mb-5 max-w-160 list-disc pl-5 text-ink-2">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        <Form
          className="grid max-w-160 gap-5"
          action={path}
          name="upload"
          token={tokens.upload ?? undefined}
          encType="multipart/form-data"
        >
          {failed ? <ErrorSummary title={failed.title} errors={errors} /> : null}
          <input type="hidden" name="intent" value="upload" />
          <input type="hidden" name="version" value={version} />
          <Field name={name} label={label} hint={hint} error={errors[name]}>
            <FileInput accept={name === "logo" ? ".png,.webp" : ".jpg,.jpeg,.png,.webp"} />
          </Field>
          <div>
            <SubmitButton pendingLabel="Saving…">Save {lower}</SubmitButton>
          </div>
        </Form>
      </Panel>
      {picture ? (
        <Panel id="remove" title={`No ${lower}`}>
          <Form action={path} name="remove" token={tokens.remove ?? undefined} intent="remove">
            <input type="hidden" name="version" value={version} />
            <SubmitButton variant="quiet">Remove {lower}</SubmitButton>
          </Form>
        </Panel>
      ) : null}
    </Page>
  );
}

function Shown({ name, picture }: { name: PictureName; picture: LogoImage }) {
  if (name === "portrait")
    return <img className="aspect-4/5 h-auto w-48 rounded-3 object-cover" alt="The founder" {...picture} />;
  return (
    <div className="flex flex-wrap gap-4">
      <LogoOn {...picture} className="bg-[#fff]" theme="light" />
      <LogoOn {...picture} className="bg-[#111f23]" theme="dark" />
    </div>
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

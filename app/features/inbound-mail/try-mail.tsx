import type { ValidationError } from "~/lib/form";
import { ErrorSummary, Field, Form, formKey, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { Box, Panel } from "~/ui/page";
import { DKIM_LABELS } from "./labels";
import { Content } from "./mail-page";
import type { TriedMail } from "./model";
import { TRY_MAIL_PATH } from "./paths";
import { WhyPanel } from "./why-panel";

type TryResult = ValidationError | { values: { mail: string }; tried: TriedMail };

/** Asks for a mail as it travels, and says of it what would be done with it. */
export function TryMail({ token, zone }: { token: string; zone: string }) {
  const result = useFormResult<TryResult>(formKey(TRY_MAIL_PATH, "try"));
  const tried = result && "tried" in result ? result.tried : null;
  const problem = result && "errors" in result ? result : null;
  return (
    <>
      {problem ? <ErrorSummary title={problem.title} errors={problem.errors} /> : null}
      <Box className="max-w-200">
        <Form action={TRY_MAIL_PATH} token={token} name="try" staysFilled className="grid gap-3">
          <Field
            name="mail"
            label="Mail"
            hint="The whole of it with its headers, as mail programs show it under “Show original”. At most 256 kB."
            error={problem?.errors.mail}
          >
            <Textarea rows={12} spellCheck={false} defaultValue={result?.values.mail} />
          </Field>
          <SubmitButton pendingLabel="Trying...">Try</SubmitButton>
        </Form>
      </Box>
      {tried ? (
        <div className="grid max-w-200 gap-4" id="tried">
          <Panel id="would" title="What would happen">
            <p className="wrap-anywhere" role="status">
              {tried.would}
            </p>
            <p className="mt-2 text-ink-2 text-sm">
              {DKIM_LABELS[tried.dkim.result]}
              {tried.dkim.domain ? ` (${tried.dkim.domain})` : ""} Nothing was written, and no mail was sent.
            </p>
          </Panel>
          <WhyPanel mail={tried.facts} zone={zone} />
          <Panel id="text" title="What is read of it">
            <Content {...tried.content} />
          </Panel>
        </div>
      ) : null}
    </>
  );
}

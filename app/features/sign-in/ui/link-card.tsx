import { SENTENCES } from "~/features/auth/copy";
import { ValidationNotice } from "~/features/auth/ui/validation-notice";
import { Docket, DocketBody } from "~/ui/docket";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";

type LinkCardProps = {
  title: string;
  /** What pressing the button does. */
  text: string;
  button: string;
  /** Where the form posts to. */
  action: string;
  page: { isOpen: boolean; token: string; hasErrors: boolean };
  /** Why nothing was done; by default because the link is over. */
  error?: string;
  /** What to do when the link is over. */
  otherwise: { label: string; to: string };
};

/** The page behind a link of a mail: one button, because opening a link must not change anything by itself. */
export function LinkCard({ title, text, button, action, page, error, otherwise }: LinkCardProps) {
  const isOver = !page.isOpen || page.hasErrors;
  return (
    <Docket alone id="link" title={title} heading="h1">
      <DocketBody alone>
        {isOver ? (
          <>
            <ValidationNotice
              validationError={{ title: "This link no longer works", errors: { form: error ?? SENTENCES.link_over } }}
            />
            <p className="flex flex-wrap justify-between gap-x-6 gap-y-2">
              <Link to={otherwise.to}>{otherwise.label}</Link>
            </p>
          </>
        ) : (
          <>
            <p>{text}</p>
            <Form action={action} token={page.token} reloadDocument>
              <SubmitButton wide>{button}</SubmitButton>
            </Form>
          </>
        )}
      </DocketBody>
    </Docket>
  );
}

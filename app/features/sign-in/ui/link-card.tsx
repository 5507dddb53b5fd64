import { SENTENCES } from "~/features/auth/copy";
import { Docket, DocketBody } from "~/ui/docket";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { ValidationNotice } from "~/ui/validation-notice";

type LinkCardProps = {
  title: string;
  /** Explains what the button does. */
  text: string;
  button: string;
  /** URL the form posts to. */
  action: string;
  page: { isOpen: boolean; token: string; hasErrors: boolean };
  /** The error; by default that the link is no longer valid. */
  error?: string;
  /** Tells what to do when the link is no longer valid. */
  otherwise: { label: string; to: string };
};

/** Shows the page of a mail link: one button, because opening a link must not change anything by itself. */
export function LinkCard({ title, text, button, action, page, error, otherwise }: LinkCardProps) {
  const isOver = !page.isOpen || page.hasErrors;
  return (
    <Docket alone id="link" title={title} heading="h1">
      <DocketBody alone>
        {isOver ? (
          <>
            <ValidationNotice
              validationError={{
                title: "This link no longer works",
                errors: { form: error ?? SENTENCES.link_invalid },
              }}
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

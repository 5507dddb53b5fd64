import { DeliveryState } from "~/ui/delivery-state";
import { Form } from "~/ui/form";
import { TextButton } from "~/ui/text-button";
import { VisuallyHidden } from "~/ui/visually-hidden";
import type { MessageDelivery } from "../model";

type MailStateProps = { message: string; delivery: MessageDelivery; path: string; token: string | null };

/** Shows where the mails about a reply are, and sends those again that were not delivered. */
export function MailState({ message, delivery, path, token }: MailStateProps) {
  return (
    <>
      <DeliveryState {...delivery} />
      {delivery.state === "failed" && token ? (
        <Form action={path} token={token} className="print:hidden">
          <input type="hidden" name="message" value={message} />
          <TextButton type="submit" name="intent" value="retry_mail">
            Retry<VisuallyHidden> the mail about this reply</VisuallyHidden>
          </TextButton>
        </Form>
      ) : null}
    </>
  );
}

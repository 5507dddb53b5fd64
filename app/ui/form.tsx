import { Form as RemixForm, type FormProps as RemixFormProps, useNavigation } from "@remix-run/react";
import { type ButtonHTMLAttributes, createContext, type MouseEvent, useContext } from "react";
import { Button } from "./button";
import type { ButtonVariant } from "./button-look";
import { cx } from "./cx";

const PendingContext = createContext(false);

type FormProps = Omit<RemixFormProps, "noValidate"> & {
  /** The form token: proof that the form came from our page, and the key under which the action runs once. */
  token?: string;
};

/**
 * Renders an HTML form that posts and works without scripts; on a hydrated page the router sends it instead. The server
 * checks everything and words every error, so the browser's own bubbles stay off. The token comes first: in a multipart
 * body it must be read before any file. Use `reloadDocument` where the response leaves the signed-in areas.
 */
export function Form({ token, method = "post", children, ...rest }: FormProps) {
  const { formData } = useNavigation();
  const pending = token !== undefined && formData?.get("form_token") === token;
  return (
    <RemixForm method={method} noValidate {...rest}>
      {token === undefined ? null : <input type="hidden" name="form_token" value={token} />}
      <PendingContext.Provider value={pending}>{children}</PendingContext.Provider>
    </RemixForm>
  );
}

type SubmitButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: ButtonVariant;
  size?: "md" | "sm";
  wide?: boolean;
  /** Replaces the label while the form is being sent. */
  pendingLabel?: string;
};

/** Sends its `Form`. While that is under way it says so and ignores further presses, but keeps the focus. */
export function SubmitButton({ pendingLabel, children, className, onClick, ...rest }: SubmitButtonProps) {
  const pending = useContext(PendingContext);
  const guard = (event: MouseEvent<HTMLButtonElement>) => (pending ? event.preventDefault() : onClick?.(event));
  return (
    <Button
      type="submit"
      className={cx(
        "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress aria-disabled:opacity-75",
        className,
      )}
      aria-disabled={pending || undefined}
      onClick={guard}
      data-pending-label={pendingLabel}
      {...rest}
    >
      {pending && pendingLabel ? pendingLabel : children}
    </Button>
  );
}

import { Button } from "~/ui/button";
import { Input } from "~/ui/input";

type PasswordInputProps = {
  autoComplete: "current-password" | "new-password";
  /** Rules for passwords that a password manager generates. */
  passwordrules?: string;
};

/** Shows a password field with a button that makes the password visible. The script shows the button. */
export function PasswordInput(props: PasswordInputProps) {
  return (
    <span className="relative grid [&:has(>button:not([hidden]))>input]:pr-19" data-password="">
      <Input type="password" {...props} />
      <Button variant="ghost" size="sm" className="absolute right-1 bottom-1" hidden>
        Show
      </Button>
    </span>
  );
}

/** Renders an address that may take two lines: it breaks before its domain, and inside a word only if it must. */
export function EmailText({ email }: { email: string }) {
  const domainAt = email.lastIndexOf("@") + 1;
  if (domainAt === 0) return email;
  return (
    <span className="wrap-anywhere">
      {email.slice(0, domainAt)}
      <wbr />
      {email.slice(domainAt)}
    </span>
  );
}

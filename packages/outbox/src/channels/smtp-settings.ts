/** How the connection to a server for mail is encrypted. `off` reaches private addresses alone. */
export type SmtpTls = "starttls" | "implicit" | "off";

/** The server that takes mail. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** Null: it asks for none. */
  readonly user: string | null;
  readonly password: string | null;
  /** The address that mail comes from. */
  readonly from: string;
  readonly tls: SmtpTls;
}

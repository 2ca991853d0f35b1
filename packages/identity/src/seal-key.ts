import { CompactEncrypt, importJWK } from "jose";

/**
 * The key as a JSON Web Encryption that only the holder of the private half of this X25519 key can read: it
 * goes through the address line of a browser, which keeps it.
 * @param publicKey the 32 bytes of the public half
 */
export async function sealKey(apiKey: string, publicKey: string): Promise<string> {
  const recipient = await importJWK({ kty: "OKP", crv: "X25519", x: publicKey }, "ECDH-ES");
  return new CompactEncrypt(new TextEncoder().encode(apiKey))
    .setProtectedHeader({ alg: "ECDH-ES", enc: "A256GCM" })
    .encrypt(recipient);
}

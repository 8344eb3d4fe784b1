package dev.assay;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;

/** Signatures of Ed25519, which Java knows from version 15 on. */
final class Ed25519 {
    static final int KEY_BYTES = 32;
    static final int SIGNATURE_BYTES = 64;
    /** What X.509 puts in front of the 32 bytes of a key. */
    private static final byte[] X509_PREFIX = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

    private Ed25519() {}

    static boolean isSupported() {
        try {
            KeyFactory.getInstance("Ed25519");
            return true;
        } catch (NoSuchAlgorithmException error) {
            return false;
        }
    }

    static boolean verify(byte[] publicKey, byte[] signature, byte[] message) {
        if (signature.length != SIGNATURE_BYTES) return false;
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(Bytes.join(X509_PREFIX, publicKey))));
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException | RuntimeException error) {
            // A key or a signature that is not a point of the curve.
            return false;
        }
    }
}

#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Swift does not import macros.
static inline void cossl_free(void *memory) { OPENSSL_free(memory); }
static inline long cossl_set_min_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version);
}
static inline long cossl_set_server_name(SSL *session, const char *name) {
  return SSL_set_tlsext_host_name(session, name);
}
static inline long cossl_pending(BIO *bytes, char **start) { return BIO_get_mem_data(bytes, start); }

static inline EVP_PKEY *cossl_make_p256(void) { return EVP_EC_gen("P-256"); }
static inline EVP_PKEY *cossl_make_rsa(size_t bits) { return EVP_RSA_gen(bits); }
// A key from its point of 65 bytes, and its private number or NULL. Faster than decoding DER, for which OpenSSL
// searches all its decoders.
static inline EVP_PKEY *cossl_p256(const unsigned char *point, const BIGNUM *number) {
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  OSSL_PARAM_BLD_push_utf8_string(builder, "group", "P-256", 0);
  OSSL_PARAM_BLD_push_octet_string(builder, "pub", point, 65);
  if (number) OSSL_PARAM_BLD_push_BN(builder, "priv", number);
  OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  EVP_PKEY *key = NULL;
  if (EVP_PKEY_fromdata_init(context) == 1)
    EVP_PKEY_fromdata(context, &key, number ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
  EVP_PKEY_CTX_free(context);
  OSSL_PARAM_free(parameters);
  OSSL_PARAM_BLD_free(builder);
  return key;
}
static inline long cossl_set_sni_callback(SSL_CTX *context, int (*callback)(SSL *, int *, void *)) {
  return SSL_CTX_set_tlsext_servername_callback(context, callback);
}
static inline long cossl_set_sni_argument(SSL_CTX *context, void *argument) {
  return SSL_CTX_set_tlsext_servername_arg(context, argument);
}
static inline long cossl_add_to_chain(SSL_CTX *context, X509 *issuer) {
  return SSL_CTX_add1_chain_cert(context, issuer);
}
// Without the certificates that the context has.
static inline int cossl_use_certificate(SSL *session, X509 *certificate, EVP_PKEY *key) {
  SSL_certs_clear(session);
  return SSL_use_cert_and_key(session, certificate, key, NULL, 1);
}
static inline long cossl_add_to_session_chain(SSL *session, X509 *issuer) {
  return SSL_add1_chain_cert(session, issuer);
}
// Frees the buffers of idle connections. Does not search for a certificate chain at each handshake, because it is set.
static inline long cossl_set_server_modes(SSL_CTX *context) {
  return SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
}
static inline int cossl_is_refused_name(unsigned long code) {
  return ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) == SSL_R_CALLBACK_FAILED;
}
static inline int cossl_is_end_of_pem(unsigned long code) {
  return ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE;
}
static inline void cossl_free_bags(STACK_OF(PKCS12_SAFEBAG) *bags) {
  sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
}
static inline void cossl_free_safes(STACK_OF(PKCS7) *safes) { sk_PKCS7_pop_free(safes, PKCS7_free); }

// Without this callback, OpenSSL would ask for the password of an encrypted key at the terminal.
static inline int cossl_no_password(char *buffer, int size, int writing, void *data) { return -1; }
static inline EVP_PKEY *cossl_read_private_key(BIO *text) {
  return PEM_read_bio_PrivateKey(text, NULL, cossl_no_password, NULL);
}
// Faster than reading a key of any kind, which loads the decoders of all.
static inline EVP_PKEY *cossl_read_private_key_of(BIO *text, const char *type) {
  EVP_PKEY *key = NULL;
  OSSL_DECODER_CTX *decoder =
      OSSL_DECODER_CTX_new_for_pkey(&key, "PEM", NULL, type, EVP_PKEY_KEYPAIR, NULL, NULL);
  if (!decoder) return NULL;
  OSSL_DECODER_CTX_set_pem_password_cb(decoder, cossl_no_password, NULL);
  // Once for each block of the text, until one is a key.
  size_t left = 0;
  do {
    left = BIO_pending(text);
  } while (!OSSL_DECODER_from_bio(decoder, text) && 0 < BIO_pending(text) && BIO_pending(text) < left);
  OSSL_DECODER_CTX_free(decoder);
  return key;
}
static inline EVP_PKEY *cossl_read_private_rsa_key(BIO *text) {
  return cossl_read_private_key_of(text, "RSA");
}
static inline EVP_PKEY *cossl_read_private_ec_key(BIO *text) {
  return cossl_read_private_key_of(text, "EC");
}
static inline EVP_PKEY *cossl_read_public_key(BIO *text) {
  return PEM_read_bio_PUBKEY(text, NULL, cossl_no_password, NULL);
}
static inline X509 *cossl_read_certificate(BIO *text) {
  return PEM_read_bio_X509(text, NULL, cossl_no_password, NULL);
}

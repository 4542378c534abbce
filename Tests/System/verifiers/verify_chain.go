// Prints "trusted" if Go trusts a server's chain: go run verify_chain.go BUNDLE CHAIN NAME.
package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
)

func main() {
	bundle, _ := os.ReadFile(os.Args[1])
	chain, _ := os.ReadFile(os.Args[2])
	roots, others := x509.NewCertPool(), x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	first, rest := pem.Decode(chain)
	others.AppendCertsFromPEM(rest)
	leaf, err := x509.ParseCertificate(first.Bytes)
	if err == nil {
		_, err = leaf.Verify(x509.VerifyOptions{Roots: roots, Intermediates: others, DNSName: os.Args[3]})
	}
	if err == nil {
		fmt.Println("trusted")
	} else {
		fmt.Println("refused:", err)
	}
}

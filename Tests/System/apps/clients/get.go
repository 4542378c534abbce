// Gets a URL with Go's net/http.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	answer, err := http.Get(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	body, _ := io.ReadAll(answer.Body)
	fmt.Print(string(body))
}

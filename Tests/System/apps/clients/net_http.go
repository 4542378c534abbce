// Verifies a number at Prelude with Go's net/http.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

const target = `"target":{"type":"phone_number","value":"+33639980001"}`

func main() {
	post("/verification", "{"+target+"}")
	answer, err := http.Get(os.Getenv("RINGFENCE_URL") + "/control/inbox/+33639980001/latest/code")
	must(err)
	code, err := io.ReadAll(answer.Body)
	must(err)
	fmt.Println(post("/verification/check", fmt.Sprintf(`{%s,"code":%q}`, target, code)).Status)
}

func post(path, body string) (answer struct{ Status string }) {
	request, err := http.NewRequest("POST", "https://api.prelude.dev/v2"+path, strings.NewReader(body))
	must(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	must(err)
	must(json.NewDecoder(response.Body).Decode(&answer))
	return answer
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

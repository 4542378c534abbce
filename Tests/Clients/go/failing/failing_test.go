package app

import (
	"testing"

	"app/ringfencetest"
)

func TestFails(t *testing.T) {
	sandbox := ringfencetest.New(t)
	sandbox.Fail("text-lost")
	sandbox.UseEnv()
	SignIn{}.Send("+12025550100")
	sandbox.Code("+12025550100", ringfencetest.CodeOptions{Within: 1})
}

func TestMisspelt(t *testing.T) { ringfencetest.New(t).Fail("text-lots") }

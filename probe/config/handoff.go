package config

import (
	"errors"
	"fmt"

	"ttftop/probe"
	"ttftop/probe/endpoint"
)

// checkHandoff looks whether a model can acknowledge what the first of the
// models answers: it must be another one. "" is no handoff.
func checkHandoff(e *probe.Endpoint, models []string, fast string) error {
	if fast == "" {
		return nil
	}
	if err := checkModel(fast); err != nil {
		return fmt.Errorf("handoff: %w", err)
	}
	if deployment := endpoint.Deployment(e); deployment != "" && deployment != fast {
		return fmt.Errorf("the URL names the deployment %q, so no other model can acknowledge: write the URL without /openai/deployments/%s", deployment, deployment)
	}
	if len(models) > 0 && models[0] == fast {
		return errors.New("the handoff names the model that answers: name a faster one to acknowledge, or leave the handoff away")
	}
	return nil
}

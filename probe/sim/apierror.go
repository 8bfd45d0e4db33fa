package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// apiError is an answer that refuses a request, in OpenAI's shape with vLLM's
// types: {"error":{"message":…,"type":…,"param":…,"code":…}}.
type apiError struct {
	status  int
	kind    string
	param   string // "" for none
	message string
}

func badRequest(param, format string, args ...any) *apiError {
	return &apiError{status: http.StatusBadRequest, kind: "BadRequestError", param: param, message: fmt.Sprintf(format, args...)}
}

func unknownModel(name string) *apiError {
	return &apiError{
		status: http.StatusNotFound, kind: "NotFoundError", param: "model",
		message: fmt.Sprintf("The model `%s` does not exist.", name),
	}
}

func tooLong(input string, context, prompt int) *apiError {
	return badRequest(input, "This model's maximum context length is %d tokens. However, your request has %d input tokens. "+
		"Please reduce the length of the %s.", context, prompt, input)
}

func tooMuch(input string, context, prompt, output int) *apiError {
	return badRequest("max_tokens", "This model's maximum context length is %d tokens. However, you requested %d tokens (%d in the %s, "+
		"%d in the completion). Please reduce the length of the %s or completion.", context, prompt+output, prompt, input, output, input)
}

// faultError is what a FaultStatus answers.
func faultError(status int) *apiError {
	switch status {
	case http.StatusTooManyRequests:
		return &apiError{status: status, kind: "RateLimitError", message: "Rate limit reached. Please try again later."}
	case http.StatusServiceUnavailable:
		return &apiError{status: status, kind: "ServiceUnavailableError", message: "The server is not ready to take requests."}
	}
	return &apiError{status: status, kind: http.StatusText(status), message: fmt.Sprintf("The request was answered with status %d on purpose.", status)}
}

// overloaded is what is answered where no more requests may wait.
func overloaded(limit int) *apiError {
	most := "1 request waits"
	if limit != 1 {
		most = fmt.Sprintf("%d requests wait", limit)
	}
	return &apiError{
		status: http.StatusTooManyRequests, kind: "RateLimitError",
		message: "The queue is full: up to " + most + ". Please try again later.",
	}
}

// dropped is what a request is answered that was let wait, and then wasn't.
func dropped() *apiError {
	return &apiError{
		status: http.StatusTooManyRequests, kind: "RateLimitError",
		message: "The request was dropped from the queue, which has become shorter. Please try again later.",
	}
}

// loading is what llama.cpp answers on every route while a model is loaded.
func loading() *apiError {
	return &apiError{status: http.StatusServiceUnavailable, kind: "unavailable_error", message: "Loading model"}
}

// write answers with the error.
func (e *apiError) write(w http.ResponseWriter, retryAfter time.Duration) {
	if retryAfter > 0 {
		seconds := (retryAfter + time.Second - 1) / time.Second
		w.Header().Set("Retry-After", strconv.Itoa(int(seconds)))
	}
	writeJSON(w, e.status, e.body())
}

// body is the error as it is sent.
func (e *apiError) body() map[string]any {
	var param any
	if e.param != "" {
		param = e.param
	}
	return map[string]any{"error": map[string]any{"message": e.message, "type": e.kind, "param": param, "code": e.status}}
}

// writeJSON answers with a value as JSON.
func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil { // no value here can fail
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answerJSON(w, status, body)
}

// answerJSON answers with JSON, and a line end for those who see it in a
// terminal.
func answerJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
	w.WriteHeader(status)
	w.Write(append(body, '\n'))
}

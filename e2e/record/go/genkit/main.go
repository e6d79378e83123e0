// Genkit for Go with OpenAI: the conversation within a flow, and a refused call.
package main

import (
	"context"
	"errors"
	"log"
	"os"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai/openai"
	"github.com/openai/openai-go/option"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

const question = "Weather in Paris? 🌧"

type place struct {
	City string `json:"city"`
}

type weather struct {
	Temp int    `json:"temp"`
	Sky  string `json:"sky"`
}

func main() {
	if err := converse(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func converse(ctx context.Context) error {
	spans, err := otlptracehttp.New(ctx)
	if err != nil {
		return err
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans))
	otel.SetTracerProvider(provider)

	options := []option.RequestOption{option.WithBaseURL(os.Getenv("MODEL_URL")), option.WithMaxRetries(0)}
	models := &openai.OpenAI{APIKey: "none", Opts: options}
	g := genkit.Init(ctx, genkit.WithPlugins(models))
	tool := genkit.DefineTool(g, "get_weather", "The weather in a city, now.",
		func(_ *ai.ToolContext, _ place) (weather, error) {
			return weather{Temp: 14, Sky: "rain"}, nil
		})
	flow := genkit.DefineFlow(g, "weather", func(ctx context.Context, question string) (string, error) {
		return genkit.GenerateText(ctx, g, ai.WithModelName("openai/gpt-4o-mini"),
			ai.WithSystem("You are terse."), ai.WithPrompt(question), ai.WithTools(tool))
	})
	if _, err := flow.Run(ctx, question); err != nil {
		return err
	}
	models.DefineModel("refused-model", ai.ModelOptions{})
	if _, err := genkit.GenerateText(ctx, g, ai.WithModelName("openai/refused-model"), ai.WithPrompt(question)); err == nil {
		return errors.New("the fake provider accepted a request that it should refuse")
	}
	return provider.Shutdown(ctx)
}

